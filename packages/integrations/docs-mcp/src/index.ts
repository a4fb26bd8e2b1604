/**
 * @module
 * The documentation of `@x` as an MCP server. The command is `docs-mcp`.
 */
import { fileURLToPath } from 'node:url'

/**
 * The folder with the pages of the site and the skills of the packages, as Markdown: `start.md`, `guides/…`, `packages/NAME.md`,
 * `reference/NAME.md`, `skills/NAME.md`. `index.md` lists the pages.
 */
export const docsPages: string = fileURLToPath(new URL('../dist/pages/', import.meta.url))
