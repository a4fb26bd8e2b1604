/** Returns a built-in module of the platform, or undefined if it is not available. Bundlers do not see an import. */
export function platformModule<T>(name: string): T | undefined {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } }
    return process?.getBuiltinModule?.(name)
  } catch {
    // The edge runtime of Next.js throws on reading the property.
    return undefined
  }
}
