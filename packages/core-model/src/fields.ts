/**
 * @module
 * The names of `@x/core/fields`, for applications that import this package. Entry `@x/core-model/fields`.
 */
export * from '@x/core/fields'
