/**
 * @module
 * The names of `@x/core/runtime`, for applications that import this package. Entry `@x/core-model/runtime`.
 */
export * from '@x/core/runtime'
