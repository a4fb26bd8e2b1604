/** The parts of an `api.d.ts` with what public signatures use and no entry exports: written by `api.ts`, read by `names.ts`. */

/** The first line of each part, in their order. `names.ts` refuses the declarations of `others`. */
export const apiParts = {
  others: '// Used by them, not exported:',
  computed: '// Computed types, not exported:',
  bases: '// Bases of the classes, not exported:',
} as const
