// The public types of @x/redis, written by `npm run api`.

// ======== @x/redis

declare function nodeOf(text: string): TextNode;
