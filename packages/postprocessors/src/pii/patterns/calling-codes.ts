import { lazy } from '@x/core/values'
import { callingCodeLengths } from './data/calling-codes.ts'

/** The numbers of digits behind each calling code. */
export const callingCodes = /* @__PURE__ */ lazy(() => {
  const lengths = new Map<string, { least: number; most: number }>()
  for (const line of callingCodeLengths.split('\n')) {
    const [range, ...codes] = line.split(' ')
    const [least, most] = range!.split('-').map(Number)
    for (const code of codes) lengths.set(code, { least: least!, most: most! })
  }
  return lengths
})
