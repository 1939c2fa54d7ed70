// An operand of set algebra: a sorted set, or a set, whose members all have the score 1. Lives on the stack; its key is latched.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>The members of a key of either type, with scores; empty if the key is absent.</summary>
internal ref struct ScoredOperand
{
    private const double ScoreInSet = 1;

    private readonly bool _isSet;
    private readonly SortedSetValue _scored;
    private readonly SetValue _plain;

    private ScoredOperand(RecordHandle record)
    {
        _isSet = record.Exists && record.Type == RecordType.Set;
        if (_isSet)
            _plain = new SetValue(record);
        else
            _scored = new SortedSetValue(record);
    }

    /// <summary>Number of members.</summary>
    public readonly long Length => _isSet ? _plain.Length : _scored.Length;

    /// <summary>
    /// Whether all keys from an argument on hold sorted sets or sets, or are absent; counts the lookups, and writes the error if not.
    /// </summary>
    public static bool HaveRightTypes(ref CommandContext context, int firstKey, int keys)
    {
        for (int key = firstKey; key < firstKey + keys; key++)
        {
            RecordHandle record = context.Open(key);
            context.CountLookup(record.Exists, key);
            if (!record.Exists || record.Type is RecordType.SortedSet or RecordType.Set)
                continue;
            context.Reply.WriteError(ErrorText.WrongType);
            return false;
        }

        return true;
    }

    /// <summary>Opens the operand in an argument after its type was checked, without counting as another access to its key.</summary>
    public static ScoredOperand Open(scoped ref CommandContext context, int key) => new(context.OpenUntouched(key));

    /// <summary>Keeps those members of a batch that are here, or those that are not.</summary>
    public readonly void Keep(ScoredBatch batch, bool present)
    {
        if (_isSet)
            batch.Keep(present, _plain.View, ScoreInSet);
        else
            batch.Keep(present, _scored.View);
    }

    /// <summary>Enumerates all members.</summary>
    public readonly Enumerator GetEnumerator() => new(this);

    /// <summary>Enumerates members.</summary>
    public ref struct Enumerator
    {
        private readonly bool _isSet;
        private SortedSetEnumerator _scored;
        private SetEnumerator _plain;

        internal Enumerator(ScoredOperand operand)
        {
            _isSet = operand._isSet;
            if (_isSet)
                _plain = operand._plain.GetEnumerator();
            else if (operand.Length > 0)
                _scored = operand._scored.GetEnumerator();
        }

        /// <summary>The current member.</summary>
        public readonly ReadOnlySpan<byte> Member => _isSet ? _plain.Current : _scored.Current.Member;

        /// <summary>Its score.</summary>
        public readonly double Score => _isSet ? ScoreInSet : _scored.Current.Score;

        /// <summary>Takes the next members into a batch; false if there are none.</summary>
        public bool Fill(ScoredBatch batch) => _isSet ? batch.Fill(ref _plain, ScoreInSet) : batch.Fill(ref _scored);

        /// <summary>Moves to the next member.</summary>
        public bool MoveNext() => _isSet ? _plain.MoveNext() : _scored.MoveNext();
    }
}
