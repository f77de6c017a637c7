import type { Drawing } from "./drawing.ts";

const WIDTH_PX = 1500;
const HEIGHT_PX = 2000;

/** Draws a hill, a lake, trees and the sun: a photo without a receipt and without letters. */
export function drawLandscape(): Drawing {
  const trees = [
    [180, 1330, 1],
    [330, 1390, 1.4],
    [1130, 1360, 1.2],
    [1320, 1420, 1.7],
  ].map(([x, y, scale]) => `<g transform="translate(${x} ${y}) scale(${scale})">${TREE}</g>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#3f7fc4"/><stop offset="1" stop-color="#f4d9b0"/></linearGradient>
      <linearGradient id="lake" x2="0" y2="1"><stop stop-color="#d8c7ae"/><stop offset="1" stop-color="#33597f"/></linearGradient>
      <linearGradient id="meadow" x2="0" y2="1"><stop stop-color="#6f9a45"/><stop offset="1" stop-color="#2f5a26"/></linearGradient>
    </defs>
    <rect width="1500" height="2000" fill="url(#sky)"/>
    <circle cx="1090" cy="560" r="95" fill="#fff4d2"/>
    <path d="M0 1050L260 760L420 880L700 520L1010 930L1200 800L1500 1060V1300H0Z" fill="#6d7f95"/>
    <path d="M580 675L700 520L812 668L750 640L700 690L650 640Z" fill="#eef2f5"/>
    <path d="M0 1120Q350 980 760 1100T1500 1040V1400H0Z" fill="#4f7a4c"/>
    <path d="M0 1240Q500 1170 900 1230T1500 1210V1560H0Z" fill="url(#lake)"/>
    <path d="M0 1420Q420 1330 820 1460T1500 1400V2000H0Z" fill="url(#meadow)"/>
    <path d="M760 1470Q640 1640 820 1760T700 2000H1010Q1060 1800 900 1700T800 1470Z" fill="#b59a6a"/>
    ${trees.join("")}</svg>`;
  return { svg, widthPx: WIDTH_PX, heightPx: HEIGHT_PX };
}

const TREE =
  '<rect x="-9" y="60" width="18" height="90" fill="#5b4128"/>' +
  '<path d="M0-120L70 0H40L95 90H-95L-40 0H-70Z" fill="#24502a"/>';
