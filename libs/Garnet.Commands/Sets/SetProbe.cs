// The sets in which members of another set are looked up. Lives on the stack; the sets are latched.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.Trees;

namespace Garnet.Commands.Sets;

/// <summary>
/// Keeps the first few sets open from one member to the next, because opening a set takes most of the time of a lookup. An array cannot
/// hold them, as they contain spans; further sets are opened again for each member.
/// </summary>
internal ref struct SetProbe
{
    private const int MaxOpen = 5;

    private SetView _set0;
    private SetView _set1;
    private SetView _set2;
    private SetView _set3;
    private SetView _set4;
    private LeafFingers _fingers;
    private int _isOpen; // one bit per set

    /// <summary>Whether all sets contain a member of the smallest.</summary>
    public bool AllContain(scoped ref CommandContext context, in SetSources sources, scoped in SetMember member)
    {
        for (int i = 0; i < sources.Count; i++)
        {
            if (!sources.IsSmallest(i) && !Has(ref context, in sources, i, member))
                return false;
        }

        return true;
    }

    /// <summary>Whether no set after the first contains a member.</summary>
    public bool NoneContains(scoped ref CommandContext context, in SetSources sources, scoped in SetMember member)
    {
        for (int i = 1; i < sources.Count; i++)
        {
            if (Has(ref context, in sources, i, member))
                return false;
        }

        return true;
    }

    private bool Has(scoped ref CommandContext context, in SetSources sources, int index, scoped in SetMember member)
    {
        if (index < MaxOpen && (_isOpen & (1 << index)) == 0)
            Open(index, sources.Open(ref context, index).View);
        return index switch
        {
            0 => _set0.Contains(member, ref _fingers[0]),
            1 => _set1.Contains(member, ref _fingers[1]),
            2 => _set2.Contains(member, ref _fingers[2]),
            3 => _set3.Contains(member, ref _fingers[3]),
            4 => _set4.Contains(member, ref _fingers[4]),
            _ => sources.Open(ref context, index).View.Contains(member.Element),
        };
    }

    private void Open(int index, SetView set)
    {
        _isOpen |= 1 << index;
        switch (index)
        {
            case 0:
                _set0 = set;
                break;
            case 1:
                _set1 = set;
                break;
            case 2:
                _set2 = set;
                break;
            case 3:
                _set3 = set;
                break;
            default:
                _set4 = set;
                break;
        }
    }

    [InlineArray(MaxOpen)]
    private struct LeafFingers
    {
        private LeafFinger _first;
    }
}
