/**
 * The smallest coins: of five or ten, whole ones in Sweden and India (`Öresavrundning -0,44`). Where money has no
 * decimals, as many whole units: five forints, a hundred rupiah (`PEMBULATAN -20`).
 */
const COINS = [5, 10, 50, 100];

/** Whether a sum becomes a multiple of a coin by less than one. `unit`: 100 where all money is whole. */
export function isRoundedBy(sum: number, rounding: number, unit = 1): boolean {
  return (
    rounding !== 0 && COINS.some((coin) => isToCoin(sum + rounding, coin * unit) && Math.abs(rounding) < coin * unit)
  );
}

/** Whether it becomes the nearest one: where no word says that an amount is a rounding. */
export function isRoundedToNearest(sum: number, rounding: number): boolean {
  return rounding !== 0 && COINS.some((coin) => isToCoin(sum + rounding, coin) && 2 * Math.abs(rounding) <= coin);
}

function isToCoin(sum: number, coin: number): boolean {
  return sum % coin === 0;
}
