// The public types of @x/lancedb, written by `npm run api`.

// ======== @x/lancedb

declare function nodeOf(text: string): TextNode;
