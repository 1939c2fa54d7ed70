// What SDIFF and SDIFFSTORE share. Stateless; the sets are latched.
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Collects the members of the first set that no other set has.</summary>
internal static class SetDifference
{
    /// <summary>Adds the members to a set under no key. The way is chosen as by Valkey, since the result's encoding depends on it.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.FirstMembers == 0 || sources.IsFirstRepeated(in context))
            return;
        long lookUps = sources.FirstMembers * (sources.Count - sources.Missing);
        bool looksUp = lookUps / 2 <= sources.TotalMembers;
        SetProbe probe = default;
        foreach (ReadOnlySpan<byte> member in sources.Open(ref context, 0))
        {
            if (!looksUp || probe.AreFreeOf(ref context, in sources, member))
                result.AddNew(StoreSession.CopyAside(member));
        }

        for (int i = 1; i < sources.Count && !looksUp; i++)
        {
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, i))
            {
                result.Remove(StoreSession.CopyAside(member));
                if (!result.Exists)
                    return;
            }
        }
    }
}
