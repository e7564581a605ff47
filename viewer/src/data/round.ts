// Round numbers for scales.

// The largest of 1, 2, 5 times a power of ten that is not above the value.
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

// A range widened to round ends, by less than a tenth on each side; equal ends stay.
export function roundRange(low: number, high: number): [number, number] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low, high];
  const step = roundBelow((high - low) / 10);
  const clean = (value: number) => Number(value.toPrecision(12));
  return [clean(Math.floor(low / step + 1e-9) * step), clean(Math.ceil(high / step - 1e-9) * step)];
}
