// Gathers the result of a command that becomes a sorted set. Lives on the stack of one command.
using Garnet.Server.CommandModel;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>
/// Members come once each, in any order; those that are too many to be gathered go into the sorted set one by one. The caller disposes of
/// the gathered members, whose memory would otherwise be lost with a command that throws.
/// </summary>
internal ref struct SortedSetGathering(SortedSetValue result, ScoredMembers members)
{
    private SortedSetValue _result = result;
    private bool _isFull;

    /// <summary>Adds a member, which may lie in the store.</summary>
    public void Add(scoped ReadOnlySpan<byte> member, double score)
    {
        if (!_isFull && members.TryAdd(member, score))
            return;
        if (!_isFull)
            Empty();
        _isFull = true;
        _result.Set(StoreSession.CopyToScratch(member), score, out _);
    }

    /// <summary>
    /// Writes the members in their order to a reply and gives everything up; false when they are too many, and must be taken from
    /// <see cref="Finish"/>.
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
