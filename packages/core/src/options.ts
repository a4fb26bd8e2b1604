/**
 * @module
 * Checks of options that are not fields of models. Entry `@x/core/options`.
 */
export {
  callback,
  callbackManager,
  callOptions,
  checkGiven,
  checkNames,
  checkOption,
  checkOptions,
  choice,
  dict,
  flag,
  group,
  having,
  invalidOption,
  list,
  listOf,
  milliseconds,
  numberFrom,
  type OptionCheck,
  type OptionChecks,
  type OptionTable,
  required,
  text,
  unchecked,
  wholeNumber,
} from './check-options.ts'
