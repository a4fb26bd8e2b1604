/**
 * @module
 * National telephone numbers by region. Entry `@x/postprocessors/numbering-plans`.
 */
export { numberingPlans } from './pii/patterns/numbering-plans.ts'
