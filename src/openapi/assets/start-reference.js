/* Starts Scalar's API reference (docs/scalar.js) without anything that would call another host. */
Scalar.createApiReference("#reference", {
  url: "openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // Scalar's own greys and greens have too little contrast (WCAG 2.2 AA wants 4.5:1).
  customCss: `
    .light-mode { --scalar-color-2: #4d4d4d; --scalar-color-3: #666; --scalar-color-green: #00704f; --scalar-color-blue: #0b6bb5; --scalar-color-orange: #b34700; --scalar-color-yellow: #855b00; --scalar-color-red: #b3261e; }
    .dark-mode { --scalar-color-2: #c4c4c4; --scalar-color-3: #a3a3a3; --scalar-color-red: #ff8a80; }
  `,
});
