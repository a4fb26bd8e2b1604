/**
 * @module
 * Checks of implementations of the contracts of `@x`, for any test runner.
 */
export { type ProviderCheck, type ProviderScore, providerChecks, providerScore } from './providers/provider-checks.ts'
