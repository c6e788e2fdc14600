// The little of node that render_figures.ts needs.
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function writeFileSync(path: string, text: string): void;
}
declare module 'node:path' {
  export function join(...parts: string[]): string;
}
declare const process: {argv: string[]};
