import { activityKindOf } from '../../base/compatibility.ts';

/** Returns `activity.kind`: the type without its prefix and version. */
export function kindOf(type: string): string {
  return activityKindOf(type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, ''));
}
