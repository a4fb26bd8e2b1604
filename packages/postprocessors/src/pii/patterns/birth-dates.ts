import { lazy } from '@x/core/values'
import type { PatternKind } from './pattern-kind.ts'

const forms = /* @__PURE__ */ lazy(() => {
  const month = String.raw`\p{L}{3,12}\.?`
  const date = [
    String.raw`\d{4}[-./] ?\d{1,2}[-./] ?\d{1,2}`,
    String.raw`\d{1,2}[-./] ?\d{1,2}[-./] ?(?:\d{4}|\d\d)`,
    String.raw`\d{1,2}(?:st|nd|rd|th|er|º|\.)? (?:de |of )?${month},? (?:de |del )?\d{4}`,
    String.raw`${month} \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
    String.raw`\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]?`,
  ].join('|')
  const labels =
    'born(?: on)?|birth(?:day|date| date)?s?|dob|d\\.o\\.b\\.|geb(?:oren|urtsdatum|urtstag|\\.)?(?: am)?|née?(?:\\(e\\))? le|naissance|nacid[oa](?: el)?|nacimiento|nat[oa](?: il)?|nascita|nascid[oa](?: em)?|nascimento|geboren(?: op)?|geboortedatum|urodz\\p{L}*|ur\\.|født|född|födelsedatum|fødselsdato|syntynyt|syntymäaika|synt\\.|narozen\\p{L}*|született|születési (?:idő|dátum)|născut\\p{L}*|naşterii|nașterii|doğum(?: tarihi)?|doğumlu|rođen\\p{L}*|рожд\\p{L}*|родил\\p{L}*|родив\\p{L}*|народ\\p{L}*|род\\.|γεννή\\p{L}*|γέννησης|נולד\\p{L}*|תאריך לידה|ت?اريخ (?:ال)?ميلاد|تاريخ الميلاد|ولد(?:ت)?(?: في)?|مواليد|जन्म\\p{L}*(?: ?तिथि)?|জন্ম\\p{L}*|เกิด(?:วันที่)?|วันเกิด|sinh(?: ngày)?|ngày sinh|lahir|tanggal lahir|生年月日|生まれ|誕生日|出生(?:日期|于|於)?|生日|생년월일|생일|출생(?:일)?'
  return {
    before: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${labels.replaceAll('\\p{L}*', String.raw`[\p{L}\p{M}]{0,8}`)})[\s:：.=*"'|_()[\]-]{0,6}(?:(?:of|is|ist|on|am|le|el|il|date|datum|era|на|:) ?){0,2}[\s:"'|]{0,3}(${date})(?![\d])`,
      'giu',
    ),
    after: new RegExp(
      String.raw`(?<!\d)(${date})(?= ?(?:生まれ|に生|に誕生|生(?![\p{L}])|出生|생(?:[ ,.]|$)|출생|doğumlu|geb\.|г\. ?р|года рождения|р\. ?н\.))`,
      'giu',
    ),
  }
})

/** Dates behind (or in some languages before) a word for birth, in about thirty languages. Other dates are not found. */
export const birthDates: PatternKind = {
  group: 'BIRTH_DATE',
  find: (text) => {
    const { before, after } = forms()
    return [before, after].flatMap((form) =>
      [...text.matchAll(form)].map(({ 0: found, 1: date, index }) => {
        const start = index + found.lastIndexOf(date!)
        return { start, end: start + date!.length }
      }),
    )
  },
}
