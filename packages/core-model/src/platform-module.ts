/** The properties of the global object that some platforms have. */
export interface Platform {
  readonly process?:
    | { readonly getBuiltinModule?: ((name: string) => unknown) | undefined; emitWarning?(error: unknown): void }
    | undefined
  readonly reportError?: ((error: unknown) => void) | undefined
}

/** Returns a built-in module of the platform, or undefined if it is not available. Bundlers do not see an import. */
export function platformModule<T>(name: string, platform: Platform = globalThis as Platform): T | undefined {
  try {
    return platform.process?.getBuiltinModule?.(name) as T | undefined
  } catch {
    // The edge runtime of Next.js throws on reading the property.
    return undefined
  }
}
