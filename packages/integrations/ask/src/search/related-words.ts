/**
 * @module
 * Words that documentations of software use for each other.
 */

const GROUPS = `max maximum limit most largest longest highest
min minimum least lowest smallest shortest
delete remove drop erase clear uninstall discard
add append insert
create make generate build
change modify edit update alter replace
show display print render
hide redact mask
ignore exclude skip omit
stop end abort cancel terminate quit exit halt kill disconnect close
start launch run begin
empty blank
several multiple many consecutive
allow permit enable accept
forbid disallow prevent prohibit deny block disable
error exception failure fail
choose select pick
folder directory
option setting configuration config parameter preference
call invoke
send emit post
find search lookup locate
fast quick performance speed
wait delay sleep pause
retry repeat attempt try
test check verify validate
password secret credential
login sign auth authenticate authentication
site website
url link address
image picture photo
copy duplicate clone
merge combine join concatenate
split divide separate
size length
count number amount total
parallel concurrent simultaneously
order sort sequence
required mandatory necessary
information info
documentation docs
database db
repository repo
environment env
function method
attribute property field prop
reuse share include
equal identical same
save store persist
load read import
notify alert notification
plugin extension addon
upgrade migrate migration
deprecated legacy old obsolete
expire lifetime ttl expiration
big large huge
small little tiny
answer reply response
request query
job task
whole entire full
wrong invalid incorrect
hidden invisible
automatically automatic auto
log logging`
  .split('\n')
  .map((line) => line.split(' '))

/** Returns for each term the terms of the related words, in the form that a tokenizer returns. */
export function relatedTerms(termOf: (word: string) => string): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>()
  for (const terms of GROUPS.map((group) => group.map(termOf))) {
    for (const term of terms) {
      const others = related.get(term) ?? new Set()
      for (const other of terms) if (other !== term) others.add(other)
      related.set(term, others)
    }
  }
  return related
}
