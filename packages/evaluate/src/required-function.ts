import type { OptionCheck } from '@x/core/options'

/** Accepts a function, which must be set. */
export const requiredFunction: OptionCheck = /* @__PURE__ */ Object.assign(
  (value: unknown) => (typeof value === 'function' ? undefined : 'a function'),
  { isRequired: true as const },
)
