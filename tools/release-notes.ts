/** Returns the part of a changelog about a version, which a release shows. */
export function releaseNotes(changelog: string, version: string): string {
  const part = changelog.split(/^## /m).find((each) => each.startsWith(`${version}\n`))
  if (part === undefined) throw new Error(`The changelog has no part about ${version}.`)
  return part.slice(version.length).trim()
}
