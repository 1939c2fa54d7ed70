// Collects the members of a resulting sorted set. Lives on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Store.Collections;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>
/// Takes distinct members in any order; if they are too many to collect, they are added to the sorted set one by one. The caller disposes
/// of the collected members, whose memory would otherwise leak if the command throws.
/// </summary>
internal ref struct SortedSetGathering(SortedSetValue result, ScoredMembers members)
{
    private SortedSetValue _result = result;
    private bool _isFull;

    /// <summary>Adds a member, whose bytes may be in the store.</summary>
    public void Add(scoped ReadOnlySpan<byte> member, double score)
    {
        if (!_isFull && members.TryAdd(member, score))
            return;
        if (!_isFull)
            Empty();
        _isFull = true;
        _result.Set(ElementScratch.Current.Copy(member), score, out _);
    }

    /// <summary>
    /// Writes the sorted members to a reply and discards everything; false if there are too many, which <see cref="Finish"/> returns.
    /// </summary>
    public bool TryReply(scoped ref CommandContext context, bool withScores)
    {
        if (_isFull)
            return false;
        members.Sort();
        ScoredReply.WriteHeader(ref context.Reply, members.Count, withScores);
        for (int i = 0; i < members.Count; i++)
            ScoredReply.Write(ref context.Reply, members.Member(i), members.Score(i), withScores);
        members.Dispose();
        _result.Discard();
        return true;
    }

    /// <summary>The sorted set with all members.</summary>
    public SortedSetValue Finish()
    {
        if (!_isFull)
            Empty();
        return _result;
    }

    private void Empty()
    {
        members.AddTo(ref _result);
        members.Dispose();
    }
}
