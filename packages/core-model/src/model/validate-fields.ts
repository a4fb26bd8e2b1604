/**
 * @module
 * From the options of a constructor to the values of all fields.
 */
import { isToolkitError, ModelValidationError, type ValidationIssue } from '../errors.ts'
import { checkValue, issueOf, type Path, pathText } from './check-value.ts'
import { isInstance } from './is-model.ts'
import type { Dict, ModelClass, NestedClasses } from './model.ts'
import type { FieldSpec } from './model-spec.ts'
import { copyLevel, deepCopy, isPlainObject, mapValues } from './plain.ts'

/** A nested value that could not be read, carried to the constructor, which reports all faults at once. */
export class Unreadable {
  readonly issues: readonly ValidationIssue[]
  constructor(issues: readonly ValidationIssue[]) {
    this.issues = issues
  }
}

/** The values of all fields, checked; the names of those that were given go into `set`. @throws {ModelValidationError} */
export function validateFields(modelClass: ModelClass, options: Dict, set: Set<string>): Dict {
  const { name: title, fields, check = checkValue } = modelClass.spec()
  const nested = modelClass.nested()
  const issues: ValidationIssue[] = []
  const values: Dict = {}
  if (typeof options !== 'object' || Array.isArray(options))
    throw new ModelValidationError(title, [issueOf([], 'an object', options)])
  for (const name in fields) {
    const field = fields[name]!
    const value = options[name]
    if (value === undefined) {
      if (field.required) issues.push({ path: name, message: 'required, but not given', code: 'required' })
      else values[name] = defaultOf(modelClass, name)
      continue
    }
    set.add(name)
    const of = nested[name]
    if (field.holds || field.runtime) {
      checkHeld(field, value, name, issues)
      values[name] = value
    } else if (of) {
      if (value === null && field.required) issues.push(issueOf([name], 'an object', value))
      else if (!(value instanceof Unreadable)) check(field.schema, value, [name], issues)
      values[name] = build(value, [name], classesOf(of).classes, issues, field.schema.type === 'object')
    } else {
      check(field.schema, value, [name], issues)
      values[name] = copyLevel(value)
    }
  }
  if (issues.length > 0) throw new ModelValidationError(title, issues)
  return values
}

/** A fresh value for a field that is not given. */
export function defaultOf(modelClass: Pick<ModelClass, 'spec' | 'makeDefault'>, name: string): unknown {
  const value = modelClass.spec().fields[name]!.default
  return value === undefined ? modelClass.makeDefault(name) : deepCopy(value)
}

/** Checks a live object. */
function checkHeld({ holds = [], required }: FieldSpec, value: unknown, name: string, issues: ValidationIssue[]): void {
  const isFunction = holds === 'function'
  if (value instanceof Unreadable) issues.push(...value.issues)
  else if (
    value === null
      ? required
      : isFunction
        ? typeof value !== 'function'
        : !holds.every((method) => typeof (value as Dict)[method] === 'function')
  )
    issues.push(
      issueOf(
        [name],
        isFunction ? 'a function' : ['an object', ...holds].join(', ').replace(',', ' with the methods'),
        value,
      ),
    )
}

/** Nested models from instances or options, in a value, a list of them, or a map of either. */
function build(
  value: unknown,
  path: Path,
  classes: readonly ModelClass[],
  issues: ValidationIssue[],
  isMap = false,
): unknown {
  // Null as the whole value was judged by the field; inside a list or map it is no model.
  if ((value === null && path.length === 1) || classes.some((modelClass) => isInstance(value, modelClass))) return value
  if (Array.isArray(value)) return value.map((item, index) => build(item, [...path, index], classes, issues))
  if (isMap && isPlainObject(value))
    return mapValues(value, (item, key) => build(item, [...path, key], classes, issues))
  const built =
    value instanceof Unreadable ? value : isPlainObject(value) ? attempt(path, () => new classes[0]!(value)) : undefined
  if (built === undefined)
    issues.push(issueOf(path, classes.map((modelClass) => modelClass.spec().name).join(' or '), value))
  if (!(built instanceof Unreadable)) return built
  issues.push(...built.issues)
  return null
}

/** What `make` gives, or the faults that it found, told from where the nested value stands. */
export function attempt<T>(path: Path, make: () => T): T | Unreadable {
  try {
    return make()
  } catch (error) {
    if (!isToolkitError(error, 'model_validation')) throw error
    const at = pathText(path)
    return new Unreadable(
      (error as ModelValidationError).issues.map((issue) => ({
        ...issue,
        path: issue.path[0] === '[' || !issue.path ? at + issue.path : `${at}.${issue.path}`,
      })),
    )
  }
}

/** The classes that a field with nested models may hold. */
export function classesOf(of: readonly ModelClass[] | NestedClasses): NestedClasses {
  return 'classes' in of ? of : { classes: of }
}
