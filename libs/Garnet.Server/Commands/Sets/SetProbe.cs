// The set that a walk asked last. Lives on the stack; the sets are latched.
using Garnet.Server.CommandModel;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Server.Commands.Sets;

/// <summary>Keeps a set open from one member to the next: with two sets, the usual case, the second is opened once.</summary>
internal ref struct SetProbe
{
    private SetView _set;
    private int _opened;

    /// <summary>Whether all sets have a member but one set, which is known to have it.</summary>
    public bool AreSharing(scoped ref CommandContext context, in SetSources sources, int known, scoped in PackedElement member)
    {
        for (int i = 0; i < sources.Count; i++)
        {
            if (i != known && !Has(ref context, in sources, i, member))
                return false;
        }

        return true;
    }

    /// <summary>Whether no set after the first has a member.</summary>
    public bool AreFreeOf(scoped ref CommandContext context, in SetSources sources, scoped in PackedElement member)
    {
        for (int i = 1; i < sources.Count; i++)
        {
            if (Has(ref context, in sources, i, member))
                return false;
        }

        return true;
    }

    private bool Has(scoped ref CommandContext context, in SetSources sources, int index, scoped in PackedElement member)
    {
        if (_opened != index + 1)
        {
            _set = sources.Open(ref context, index).View;
            _opened = index + 1;
        }

        return _set.Contains(member);
    }
}
