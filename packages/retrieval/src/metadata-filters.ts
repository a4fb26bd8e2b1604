/**
 * @module
 * Conditions on the metadata of nodes. They are plain JSON data, the same as `MetadataFilters` of LlamaIndex for Python.
 */
import { group, type OptionCheck, unchecked } from '@x/core/options'
import { deepEqual, isPlainObject, joinPath, mismatch } from '@x/core/values'
import { ModelValidationError, type NodeWithScore, type TextNode, type ValidationIssue } from '@x/core-model'

/** The operators of {@link MetadataFilter}. */
export const filterOperators = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'in',
  'nin',
  'any',
  'all',
  'contains',
  'text_match',
  'is_empty',
] as const
/** A comparison of a metadata filter. */
export type FilterOperator = (typeof filterOperators)[number]

/** A value to compare with. */
export type FilterValue = string | number | boolean | bigint | null | readonly (string | number | boolean | bigint)[]

/** One condition on a metadata entry. Only `is_empty` is true for a node whose entry is missing or null. */
export interface MetadataFilter {
  /** The metadata key. */
  key: string
  /**
   * The value to compare with: an array for `in`, `nin`, `any` and `all`, a string for `text_match`; ignored for `is_empty`.
   */
  value?: FilterValue
  /**
   * `==`, `!=`: equal or not. `>`, `>=`, `<`, `<=`: order of two numbers or two strings. `in`, `nin`: whether the entry is one of the
   * values. `any`, `all`: whether the entry, an array, contains one or all of the values. `contains`: whether the entry, an array
   * or a string, contains the value. `text_match`: the same for strings, without case. `is_empty`: whether the entry is missing, null,
   * an empty string or an empty array. @defaultValue '=='
   */
  operator?: FilterOperator
}

/** Conditions that are combined. */
export interface MetadataFilters {
  filters: readonly (MetadataFilter | MetadataFilters)[]
  /**
   * Whether all conditions must be true (`and`), at least one (`or`), or none (`not`). Without conditions, `and` and `not` are true, and
   * `or` is false. @defaultValue 'and'
   */
  condition?: 'and' | 'or' | 'not'
}

/** Conditions as retrievers take them; an array means that all must be true. */
export type FiltersInput = MetadataFilters | readonly (MetadataFilter | MetadataFilters)[]

/**
 * Returns a predicate that tests whether a node meets the conditions.
 * @throws {ModelValidationError} if the conditions are not valid; contains every issue.
 * @example
 * const isRecent = nodeFilter({ filters: [{ key: 'year', operator: '>=', value: 2020 }] })
 * isRecent(new TextNode({ metadata: { year: 2024 } })) // => true
 */
export function nodeFilter(filters: FiltersInput): (node: TextNode) => boolean {
  const group = groupOf(filters)
  const issues: ValidationIssue[] = []
  checkGroup(group, '', issues)
  if (issues.length > 0) throw new ModelValidationError('MetadataFilters', issues)
  return ({ metadata }) => matches(group, metadata)
}

/** Returns conditions as a group. They need not be valid. */
export function groupOf(filters: FiltersInput): MetadataFilters {
  return Array.isArray(filters) ? { filters } : (filters as MetadataFilters)
}

/** Returns conditions that are true for the nodes that meet both; undefined without conditions. */
export function bothFilters(one: FiltersInput | undefined, other: FiltersInput | undefined): FiltersInput | undefined {
  if (one === undefined) return other
  return other === undefined ? one : { filters: [groupOf(one), groupOf(other)] }
}

function matches(filter: MetadataFilter | MetadataFilters, metadata: Readonly<Record<string, unknown>>): boolean {
  if ('filters' in filter) {
    const isTrue = (each: MetadataFilter | MetadataFilters) => matches(each, metadata)
    if (filter.condition === 'not') return !filter.filters.some(isTrue)
    return filter.condition === 'or' ? filter.filters.some(isTrue) : filter.filters.every(isTrue)
  }
  const entry = Object.hasOwn(metadata, filter.key) ? metadata[filter.key] : undefined
  const operator = filter.operator ?? '=='
  const isEmpty = entry === undefined || entry === null
  if (operator === 'is_empty') return isEmpty || entry === '' || (Array.isArray(entry) && entry.length === 0)
  return !isEmpty && comparisons[operator](entry, filter.value ?? null)
}

type Comparison = (entry: unknown, value: FilterValue) => boolean

const comparisons: Record<Exclude<FilterOperator, 'is_empty'>, Comparison> = {
  '==': isEqual,
  '!=': (entry, value) => !isEqual(entry, value),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  in: (entry, values) => includes(values, entry),
  nin: (entry, values) => !includes(values, entry),
  any: (entry, values) => asList(values).some((value) => includes(entry, value)),
  all: (entry, values) => asList(values).every((value) => includes(entry, value)),
  contains: (entry, value) =>
    typeof entry === 'string' ? typeof value === 'string' && entry.includes(value) : includes(entry, value),
  text_match: (entry, value) =>
    typeof entry === 'string' && typeof value === 'string' && entry.toLowerCase().includes(value.toLowerCase()),
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isEqual(item, other[i]))
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number.
  return isNumeric(one) && isNumeric(other) ? one == other : deepEqual(one, other)
}

function includes(list: unknown, value: unknown): boolean {
  return asList(list).some((item) => isEqual(item, value))
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Compares two numbers or two strings; other values have no order. */
function ordered(isTrue: (order: number) => boolean): Comparison {
  const compare = <T extends number | bigint | string>(entry: T, value: T) =>
    isTrue(entry < value ? -1 : entry > value ? 1 : 0)
  return (entry, value) => {
    if (isNumeric(entry) && isNumeric(value)) return compare<number | bigint>(entry, value)
    return typeof entry === 'string' && typeof value === 'string' && compare(entry, value)
  }
}

const listOperators: readonly string[] = ['in', 'nin', 'any', 'all']
const orderOperators: readonly string[] = ['>', '>=', '<', '<=']

const groupKeys = /* @__PURE__ */ group({ filters: unchecked, condition: unchecked })
const filterKeys = /* @__PURE__ */ group({ key: unchecked, value: unchecked, operator: unchecked })

/** Validates conditions that come from JSON; adds their issues to `issues`. */
function checkGroup(group: unknown, path: string, issues: ValidationIssue[]): void {
  const add = adderAt(path, issues)
  if (!isPlainObject(group)) {
    add('', 'an object with filters', group)
    return
  }
  addUnknown(groupKeys, group, path, issues)
  const { filters, condition } = group
  if (condition !== undefined && condition !== 'and' && condition !== 'or' && condition !== 'not')
    add('condition', '"and", "or" or "not"', condition)
  if (!Array.isArray(filters)) {
    add('filters', 'an array', filters)
    return
  }
  for (const [i, filter] of filters.entries()) {
    const at = joinPath(path, `filters[${i}]`)
    if (isPlainObject(filter) && 'filters' in filter) checkGroup(filter, at, issues)
    else checkFilter(filter, at, issues)
  }
}

function checkFilter(filter: unknown, path: string, issues: ValidationIssue[]): void {
  const add = adderAt(path, issues)
  if (!isPlainObject(filter)) {
    add('', 'an object with key, operator and value', filter)
    return
  }
  addUnknown(filterKeys, filter, path, issues)
  const { key, value, operator = '==' } = filter
  if (typeof key !== 'string') add('key', 'a string', key)
  const isKnown = filterOperators.some((known) => known === operator)
  if (!isKnown) add('operator', `one of ${filterOperators.join(' ')}`, operator)
  else if (listOperators.includes(operator as string)) {
    if (!Array.isArray(value)) add('value', `an array for the operator ${operator}`, value)
  } else if (orderOperators.includes(operator as string)) {
    if (!isNumeric(value) && typeof value !== 'string')
      add('value', `a number or a string for the operator ${operator}`, value)
  } else if (operator === 'text_match') {
    if (typeof value !== 'string') add('value', 'a string for the operator text_match', value)
  } else if (operator !== 'is_empty' && (value === undefined || typeof value === 'function' || isPlainObject(value)))
    add('value', 'a string, number, boolean or array', value)
}

/** Adds the keys that a condition does not have: a misspelt `operator` would compare with the default one. */
function addUnknown(check: OptionCheck, condition: object, path: string, issues: ValidationIssue[]): void {
  for (const issue of check(condition) as ValidationIssue[]) issues.push({ ...issue, path: joinPath(path, issue.path) })
}

/** Returns a function that adds an issue at a path below `path`. */
function adderAt(path: string, issues: ValidationIssue[]) {
  return (at: string, expected: string, value: unknown) =>
    issues.push({ path: joinPath(path, at), message: mismatch(expected, value), code: 'type' })
}

/**
 * Returns a postprocessor that keeps the nodes that meet the conditions, in their order, without a query: a step of `PostprocessorPipeline`
 * of `@x/postprocessors`, or of an answer engine. A retriever with `filters` finds more, because it filters before it selects the best
 * nodes.
 * @throws {ModelValidationError} if the conditions are not valid.
 * @example
 * const recent = filterStep([{ key: 'year', operator: '>=', value: 2020 }])
 * const nodes = [2019, 2021].map((year) => new NodeWithScore({ node: new TextNode({ metadata: { year } }) }))
 * const kept = await recent.postprocessNodes(nodes)
 * kept.map(({ metadata }) => metadata.year) // => [2021]
 */
export function filterStep(filters: FiltersInput): {
  postprocessNodes(nodes: readonly NodeWithScore[], options?: unknown): readonly NodeWithScore[]
} {
  const accepts = nodeFilter(filters)
  return { postprocessNodes: (nodes) => nodes.filter(({ node }) => accepts(node)) }
}
