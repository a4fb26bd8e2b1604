/**
 * Replaces packages for the process: `node --import` of this file with `X_VERSIONS`, a JSON object of the names and the names of those that take
 * their places, which the package of the program has.
 */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const replaced = Object.entries(JSON.parse(process.env.X_VERSIONS))
const parentURL = pathToFileURL(process.argv[1]).href
const require = createRequire(parentURL)

registerHooks({
  resolve(specifier, context, next) {
    const found = replaced.find(([name]) => specifier === name || specifier.startsWith(`${name}/`))
    if (!found) return next(specifier, context)
    const name = found[1] + specifier.slice(found[0].length)
    // A CommonJS module is looked up from the module that requires it, for any parent.
    if (context.conditions.includes('require')) return next(require.resolve(name), context)
    return next(name, { ...context, parentURL })
  },
})
