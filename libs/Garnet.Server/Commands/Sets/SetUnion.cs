// What SUNION and SUNIONSTORE share. Stateless; the sets are latched.
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Collects the members of all sets.</summary>
internal static class SetUnion
{
    /// <summary>Adds the members to a set under no key.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        for (int i = 0; i < sources.Count; i++)
        {
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, i))
                result.Add(StoreSession.CopyAside(member));
        }
    }
}
