// Explains an instruction of the programs that load programs, in sentences.

import { bytesText, type Told, type ToldInstruction, who } from './solana_effects.ts';
import { calls, changesPower, type NativeRow, nativeEffects } from './solana_native.ts';
import { unsaidSol } from './solana_token.ts';

/** The loader of programs that can be upgraded, by numbers. */
const upgradeable: ReadonlyMap<number, NativeRow> = new Map<number, NativeRow>([
  [
    0,
    {
      accounts: 1,
      tell: (told) => {
        const holder = isThere(told, 1) ? who(told, 1) : 'nobody';
        return changesPower(
          told,
          `Makes ${who(told, 0)} a buffer for the code of a program; its authority is ${holder}.`,
          `The buffer ${who(told, 0)} obeys ${holder}.`,
          holder,
        );
      },
    },
  ],
  [
    1,
    {
      accounts: 2,
      tell: (told, given) =>
        calls(told, `Writes ${bytesText(given)} to the buffer ${who(told, 0)}.`),
    },
  ],
  [
    2,
    {
      accounts: 8,
      tell: (told) =>
        changesPower(
          told,
          `Deploys the program ${who(told, 2)} from the buffer ${who(told, 3)}.`,
          `${who(told, 7)} can replace the code of the program ${who(told, 2)}.`,
          who(told, 7),
        ),
    },
  ],
  [
    3,
    {
      accounts: 7,
      tell: (told) =>
        newCode(
          told,
          `Replaces the code of the program ${who(told, 1)} by that of the buffer ${who(told, 2)}, whose SOL goes to ${who(told, 3)}.`,
          who(told, 1),
        ),
    },
  ],
  [4, { accounts: 2, tell: authorityOfLoaded }],
  [
    5,
    {
      accounts: 2,
      tell: (told) => {
        const of = isThere(told, 3) ? `, and ends the program ${who(told, 3)}` : '';
        return unsaidSol(
          told,
          `Closes ${who(told, 0)} and sends all SOL in it to ${who(told, 1)}${of}.`,
        );
      },
    },
  ],
  [6, { accounts: 2, tell: extend }],
  [7, { accounts: 3, tell: authorityOfLoaded }],
  [
    8,
    {
      accounts: 3,
      tell: (told) => calls(told, `Moves the program ${who(told, 1)} to another loader.`),
    },
  ],
  [9, { accounts: 3, tell: extend }],
]);

/** The fourth version of the loader, by numbers. */
const fourth: ReadonlyMap<number, NativeRow> = new Map<number, NativeRow>([
  [
    0,
    {
      accounts: 2,
      tell: (told, given) =>
        calls(told, `Writes ${bytesText(given)} to the program ${who(told, 0)}.`),
    },
  ],
  [
    1,
    {
      accounts: 3,
      tell: (told) =>
        calls(told, `Copies the code of ${who(told, 2)} to the program ${who(told, 0)}.`),
    },
  ],
  [
    2,
    {
      accounts: 2,
      tell: (told) => calls(told, `Changes how long the code of the program ${who(told, 0)} is.`),
    },
  ],
  [
    3,
    {
      accounts: 2,
      tell: (told) => newCode(told, `Deploys the program ${who(told, 0)}.`, who(told, 0)),
    },
  ],
  [
    4,
    {
      accounts: 2,
      tell: (told) => calls(told, `Takes the program ${who(told, 0)} out of service.`),
    },
  ],
  [
    5,
    {
      accounts: 3,
      tell: (told) => givenOver(told, who(told, 2)),
    },
  ],
  [
    6,
    {
      accounts: 3,
      tell: (told) => nobodysFromNowOn(told),
    },
  ],
]);

/** The effects of an instruction of the loader of programs that can be upgraded. */
export const loaderEffects = nativeEffects('the program that loads programs', upgradeable);

/** The effects of an instruction of the fourth version of the loader. */
export const fourthLoaderEffects = nativeEffects('the program that loads programs', fourth);

const isThere = ({ instruction }: ToldInstruction, position: number): boolean =>
  position < instruction.accounts.length;

function extend(told: ToldInstruction): Told {
  return calls(told, `Makes room for more code of the program ${who(told, 1)}.`);
}

function newCode(told: ToldInstruction, text: string, program: string): Told {
  return changesPower(told, text, `New code decides on all that the program ${program} owns.`);
}

function authorityOfLoaded(told: ToldInstruction): Told {
  return isThere(told, 2) ? givenOver(told, who(told, 2)) : nobodysFromNowOn(told);
}

function givenOver(told: ToldInstruction, holder: string): Told {
  return changesPower(
    told,
    `Gives the authority over the code in ${who(told, 0)} to ${holder}.`,
    `${holder} can replace the code in ${who(told, 0)}.`,
    holder,
  );
}

function nobodysFromNowOn(told: ToldInstruction): Told {
  return changesPower(
    told,
    `Nobody has the authority over the code in ${who(told, 0)} any more.`,
    `The authority over the code in ${who(told, 0)} is given up for ever.`,
  );
}
