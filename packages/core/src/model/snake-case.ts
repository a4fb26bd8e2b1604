/** Returns a name in snake case: `maxBooks` is `max_books`, and `imageURL` is `image_url`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (letters, at) => (at ? '_' : '') + letters.toLowerCase())
}
