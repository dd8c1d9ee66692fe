import { activityKindOf } from '../../base/compatibility.ts';

/** `activity.kind`: the type without its prefix and its version. */
export function kindOf(type: string): string {
  return activityKindOf(type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, ''));
}
