/**
 * @module
 * Checks of implementations of the contracts of `@x`, for any test runner.
 */
export { providerChecks, providerScore } from './providers/provider-checks.ts'
