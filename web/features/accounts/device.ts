interface Device {
  browser: 'Edge' | 'Opera' | 'Samsung Internet' | 'Firefox' | 'Chrome' | 'Safari' | undefined;
  system: 'iPhone' | 'iPad' | 'Android' | 'Windows' | 'macOS' | 'ChromeOS' | 'Linux' | undefined;
}

// The first that fits counts: nearly every browser also claims to be Chrome and Safari, and Android to be Linux.
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /^(?=.*\bVersion\/\d).*\bSafari\//],
] as const;
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What a browser says of itself, as people call it. */
export function describeDevice(userAgent: string): Device {
  return {
    browser: browsers.find(([, mark]) => mark.test(userAgent))?.[0],
    system: systems.find(([, mark]) => mark.test(userAgent))?.[0],
  };
}

export const isHandheld = ({ system }: Device) => system === 'iPhone' || system === 'iPad' || system === 'Android';
