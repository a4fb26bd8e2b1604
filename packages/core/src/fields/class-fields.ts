/**
 * @module
 * Finds classes whose class fields may overwrite model fields.
 */

/**
 * Whether the source of a class, or of one that it extends, has what looks like a class field with one of these names. Such a class
 * stays guarded, so that every construction fails, not only the first ones. A class that only looks like it is constructed more slowly.
 */
export function mayOverwrite(modelClass: object, names: readonly string[]): boolean {
  const name = `(?:${names.map((one) => one.replaceAll('$', '\\$')).join('|')})`
  // The second form is that of compilers for targets without class fields: `__publicField(this, "label")`.
  const classField = new RegExp(`[{};\\n]\\s*${name}\\s*[\\n;=}]|\\(this, ?["']${name}["']`)
  for (let each = modelClass; typeof each === 'function'; each = Object.getPrototypeOf(each))
    if (classField.test(`${each}`)) return true
  return false
}
