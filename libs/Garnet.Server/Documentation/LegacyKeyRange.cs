// First key, last key and step of a command, for clients older than key specifications. Immutable.
using Garnet.Engine.Requests;

namespace Garnet.Server.Documentation;

/// <summary>The single range that represents a command's key specifications; all zero when none of them is a range.</summary>
/// <param name="FirstKey">Argument index of the first key.</param>
/// <param name="LastKey">Argument index of the last key; negative counts from the last argument.</param>
/// <param name="Step">Distance between keys.</param>
/// <param name="IsPartial">True when the range does not cover all keys (the movablekeys flag).</param>
internal readonly record struct LegacyKeyRange(int FirstKey, int LastKey, int Step, bool IsPartial)
{
    /// <summary>Merges consecutive ranges; what cannot be merged makes the range partial.</summary>
    public static LegacyKeyRange Of(KeySpec[] specs)
    {
        if (specs.Length == 0)
            return default;
        bool incomplete = specs.Any(spec => (spec.Flags & KeySpecFlags.Incomplete) != 0);
        if (specs is [var only] && IsPlainRange(only))
            return new LegacyKeyRange(only.BeginIndex, LastKeyOf(only), only.KeyStep, incomplete);
        int first = 0,
            last = 0;
        bool partial = false;
        foreach (KeySpec spec in specs)
        {
            if (!IsPlainRange(spec) || spec.KeyStep != 1 || (last != 0 && last != spec.BeginIndex - 1))
            {
                partial = true;
                continue;
            }

            partial |= (spec.Flags & KeySpecFlags.Incomplete) != 0;
            first = first == 0 ? spec.BeginIndex : Math.Min(first, spec.BeginIndex);
            // Unsigned: a last key that counts from the end is beyond every other.
            last = (int)Math.Max((uint)last, (uint)LastKeyOf(spec));
        }

        return first == 0 ? new LegacyKeyRange(0, 0, 0, true) : new LegacyKeyRange(first, last, 1, partial);
    }

    private static bool IsPlainRange(KeySpec spec) => spec is { Keyword: null, IsCounted: false, BeginIndex: > 0 };

    private static int LastKeyOf(KeySpec spec) => spec.LastKey >= 0 ? spec.BeginIndex + spec.LastKey : spec.LastKey;
}
