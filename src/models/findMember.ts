/** The member with this id; members that have left the team are not found. */
export function findMember<Found extends { readonly id: string }>(
  { members }: { readonly members: readonly Found[] },
  id: string,
): Found | undefined {
  return members.find((member) => member.id === id);
}
