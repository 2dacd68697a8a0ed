/** Whether a call to the system worked. For calls that say no only by throwing, and of which no reason matters. */
export function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
