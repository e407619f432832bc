/** What was chosen earlier in this browser, if it is still a choice. Where nothing may be stored, it is the default. */
export function stored<T extends string>(name: string, choices: readonly T[], byDefault: T): T {
  try {
    const value = localStorage.getItem(`scheduled-jobs.${name}`);
    return choices.find((choice) => choice === value) ?? byDefault;
  } catch {
    return byDefault;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`scheduled-jobs.${name}`, value);
  } catch {
    // It is chosen for as long as the page is open.
  }
}
