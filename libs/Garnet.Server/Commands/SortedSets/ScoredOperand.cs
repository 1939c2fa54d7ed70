// An operand of set algebra: a sorted set, or a set whose members all have the score 1. Lives on the stack; its key is latched.
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Members with scores under a key of either type; none when it is missing.</summary>
internal ref struct ScoredOperand
{
    private const double ScoreInSet = 1;

    private readonly bool isSet;
    private readonly SortedSetValue scored;
    private readonly SetValue plain;

    private ScoredOperand(RecordHandle record)
    {
        isSet = record.Exists && record.Type == RecordType.Set;
        if (isSet)
            plain = new SetValue(record);
        else
            scored = new SortedSetValue(record);
    }

    /// <summary>Members.</summary>
    public readonly long Length => isSet ? plain.Length : scored.Length;

    /// <summary>Whether all keys from an argument on hold sorted sets or sets, or nothing; counts the look-ups, and writes the error when not.</summary>
    public static bool HaveRightTypes(ref CommandContext context, int firstKey, int keys)
    {
        for (int key = firstKey; key < firstKey + keys; key++)
        {
            RecordHandle record = context.Open(key);
            context.CountLookup(record.Exists);
            if (!record.Exists || record.Type is RecordType.SortedSet or RecordType.Set)
                continue;
            context.Reply.WriteError(ErrorText.WrongType);
            return false;
        }

        return true;
    }

    /// <summary>The operand at an argument, whose type is right; that it is one use of its key was counted with that.</summary>
    public static ScoredOperand Open(scoped ref CommandContext context, int key) => new(context.OpenUntouched(key));

    /// <summary>The score of a member; false when it is not there.</summary>
    public readonly bool TryGetScore(ReadOnlySpan<byte> member, out double score)
    {
        if (!isSet)
            return scored.TryGetScore(member, out score);
        score = ScoreInSet;
        return plain.Contains(member);
    }

    /// <summary>All members.</summary>
    public readonly Enumerator GetEnumerator() => new(this);

    /// <summary>Shows members one by one.</summary>
    public ref struct Enumerator
    {
        private readonly bool isSet;
        private SortedSetEnumerator scored;
        private SetEnumerator plain;

        internal Enumerator(ScoredOperand operand)
        {
            isSet = operand.isSet;
            if (isSet)
                plain = operand.plain.GetEnumerator();
            else if (operand.Length > 0)
                scored = operand.scored.GetEnumerator();
        }

        /// <summary>The member stepped to.</summary>
        public readonly ReadOnlySpan<byte> Member => isSet ? plain.Current : scored.Current.Member;

        /// <summary>Its score.</summary>
        public readonly double Score => isSet ? ScoreInSet : scored.Current.Score;

        /// <summary>Steps to the next member.</summary>
        public bool MoveNext() => isSet ? plain.MoveNext() : scored.MoveNext();
    }
}
