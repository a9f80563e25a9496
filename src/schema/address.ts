/** An address, or a path, behind what stands before it: of the two slashes where they meet, one stays. */
export function withPrefix(prefix: string, address: string): string {
  return `${/^\{*\//.test(address) ? prefix.replace(/\/$/, '') : prefix}${address}`;
}
