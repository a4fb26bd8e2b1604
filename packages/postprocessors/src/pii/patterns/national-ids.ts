import { ModelValidationError } from '@x/core'
import { lazy } from '@x/core/values'
import { type NationalId, nationalIdForms } from './national-id-forms.ts'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

/** A form with its expressions. */
interface Form {
  id: NationalId
  labelled: RegExp
  alone?: RegExp
  label: RegExp
}

const edge = String.raw`(?<![\p{Lu}\p{Ll}\p{N}]|[\p{L}\p{N}][-_/]|\p{N}[.,])`
const end = String.raw`(?![\p{Lu}\p{Ll}\p{N}]|[-/.,]\d|-\p{L})`

const forms = /* @__PURE__ */ lazy(() =>
  nationalIdForms().map((id): Form => {
    const linked = String.raw`(?:[\s\p{P}]{0,3}(?:number|num|no|nr|nummer|n°|id|code|kod|numero|numer|номер|号码|號碼|番号|번호|is|ist|es|est|de|der|e|è)(?!\p{L})){0,3}`
    return {
      id,
      labelled: new RegExp(`${edge}${id.form}${end}`, 'gu'),
      ...(id.alone !== undefined && { alone: new RegExp(`${edge}${id.alone}${end}`, 'gu') }),
      label: new RegExp(
        String.raw`(?<![\p{Lu}\p{Ll}\p{N}])(?:${id.label.replaceAll('\\p{L}*', '\\p{L}{0,16}')})\p{L}{0,3}${linked}[\s\p{P}\p{S}]{0,6}$`,
        'u',
      ),
    }
  }),
)

/**
 * Returns the national identity, tax and insurance numbers of regions as a kind for `findPatterns`: SSN, NIR, CPF, BSN, codice fiscale,
 * PESEL, NINO and fifty more. Check digits and dates are verified. A number whose form is common needs its name before it, such as `BSN`.
 * @param regions - ISO 3166 codes such as `US`; none means all.
 * @throws {ModelValidationError} if no number of a region is known.
 * @example
 * const find = findPatterns({ kinds: [nationalIdsOf('US', 'BR')] })
 * find('SSN 536-90-4399, CPF 111.444.777-35').map(({ word }) => word) // => ['536-90-4399', '111.444.777-35']
 */
export function nationalIdsOf(...regions: readonly string[]): PatternKind {
  for (const region of regions) {
    if (!nationalIdForms().some((id) => id.region === region))
      throw new ModelValidationError('nationalIdsOf', [
        {
          path: 'regions',
          message: `expected regions such as "US" whose numbers are known, received ${JSON.stringify(region)}`,
          code: 'option',
        },
      ])
  }
  const isUsed = ({ id }: Form) => regions.length === 0 || regions.includes(id.region)
  return {
    group: 'NATIONAL_ID',
    find: (text) =>
      forms()
        .filter(isUsed)
        .flatMap((form) => idsIn(text, form)),
  }
}

function idsIn(text: string, { id, labelled, alone, label }: Form): Range[] {
  const found: Range[] = []
  const add = (start: number, written: string) => {
    if (id.isValid(compact(written))) found.push({ start, end: start + written.length })
  }
  if (alone) for (const { 0: written, index } of text.matchAll(alone)) add(index, written)
  for (const { 0: written, index } of text.matchAll(labelled)) {
    if (label.test(folded(text.slice(Math.max(0, index - 48), index)))) add(index, written)
  }
  return found
}

const compact = (written: string): string => written.replace(/[^\p{L}\p{N}+]/gu, '')

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
