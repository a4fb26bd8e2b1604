/** Metadata and conditions for property tests: an index in a database finds exactly the nodes that meet the conditions. */
import { filterOperators, type MetadataFilter, type MetadataFilters } from '@x/retrieval'
import fc from 'fast-check'

const scalar = fc.oneof(
  fc.constantFrom<string | number | boolean>(
    'a',
    'b',
    'Ä',
    '',
    '1',
    'x"y',
    'a\u0000b',
    '\ud83d\ude00',
    '\ud83d',
    '\ufb01',
    '\u001b0000',
    'A0000',
    0,
    1,
    2.5,
    -1,
    2 ** 53,
    1e300,
    1e23,
    true,
    false,
  ),
  fc.integer({ min: -3, max: 3 }),
)
const entry = fc.oneof(
  scalar,
  fc.constant(null),
  fc.constantFrom(9007199254740993n, 10n ** 23n, 99999999999999991611392n),
  fc.array(scalar, { maxLength: 2 }),
)
const key = fc.constantFrom('k', 'team', 'a.b', 'q"q', 'back\\slash', 'ö', '$', '[0]', '?', 'nul\u0000')

/** The metadata of a node, with keys and values that are hard to compare in a database. */
export const metadataArbitrary = fc.dictionary(key, entry, { maxKeys: 4 })

const filter: fc.Arbitrary<MetadataFilter> = fc
  .record({
    key,
    operator: fc.constantFrom(...filterOperators),
    value: scalar,
    values: fc.array(scalar, { maxLength: 3 }),
  })
  .map(({ key, operator, value, values }) => {
    if (['in', 'nin', 'any', 'all'].includes(operator)) return { key, operator, value: values }
    if (['>', '>=', '<', '<='].includes(operator))
      return { key, operator, value: typeof value === 'boolean' ? 1 : value }
    return { key, operator, value: operator === 'text_match' ? String(value) : value }
  })

/** Conditions on such metadata. */
export const filtersArbitrary = fc.letrec<{ group: MetadataFilters }>((tie) => ({
  group: fc.record({
    filters: fc.array(fc.oneof({ maxDepth: 2 }, filter, tie('group')), { maxLength: 3 }),
    condition: fc.constantFrom('and', 'or', 'not'),
  }),
})).group
