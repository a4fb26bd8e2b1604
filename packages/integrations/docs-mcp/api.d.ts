// The public types of @x/docs-mcp, written by `npm run api`.

// ======== @x/docs-mcp

declare const docsPages: string;
