/**
 * @module
 * The formats of JSON Schema that are checked, each with a test of strings.
 */

const LABELS = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

const matching = (pattern: RegExp) => (text: string) => pattern.test(text)
const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true

/** The checked formats, by name. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: matching(TIME),
  'date-time': (text) => isDate(text.slice(0, 10)) && /[t ]/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
  duration: matching(
    /^P(?=[\dT])(?:\d{1,20}W|(?:\d{1,20}Y)?(?:\d{1,20}M)?(?:\d{1,20}D)?(?:T(?=\d)(?:\d{1,20}H)?(?:\d{1,20}M)?(?:\d{1,20}S)?)?)$/,
  ),
  email: (text) => /^[^\s@"(),:;<>[\\\]]{1,64}@/.test(text) && LABELS.test(text.slice(text.indexOf('@') + 1)),
  hostname: matching(LABELS),
  ipv4: matching(/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`),
  uri: matching(/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i),
  uuid: matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i),
}
