// The arguments of ZUNION, ZINTER, ZDIFF and their STORE variants. Immutable after parsing.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Commands.SortedSets;

/// <summary><c>numkeys key [key ...] [WEIGHTS weight ...] [AGGREGATE SUM | MIN | MAX] [WITHSCORES]</c>.</summary>
internal sealed class AlgebraArguments
{
    private double[]? _weights;

    /// <summary>Index of the first key among the arguments.</summary>
    public required int FirstKey { get; init; }

    /// <summary>Number of keys.</summary>
    public required int Keys { get; init; }

    /// <summary>How scores are combined.</summary>
    public Aggregation Aggregation { get; private set; }

    /// <summary>Whether the reply includes scores.</summary>
    public bool WithScores { get; private set; }

    /// <summary>Parses the number of keys; writes the error and returns false if it is invalid.</summary>
    public static bool TryParseKeys(ref CommandContext context, int numberArgument, out int keys)
    {
        keys = 0;
        if (!context.TryGetInteger(numberArgument, out long number))
            return false;
        if (number < 1)
        {
            context.Reply.WriteError($"ERR at least 1 input key is needed for '{context.Command.FullName}' command");
            return false;
        }

        if (number > context.Count - numberArgument - 1)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        keys = (int)number;
        return true;
    }

    /// <summary>Parses the options after the keys; writes the error and returns false if they are invalid.</summary>
    public bool TryParseOptions(ref CommandContext context, AlgebraKind kind, bool isStored)
    {
        for (int i = FirstKey + Keys; i < context.Count; i++)
        {
            int left = context.Count - i;
            bool isRight;
            if (kind != AlgebraKind.Diff && left > Keys && context.Is(i, "WEIGHTS"u8))
            {
                isRight = TryGetWeights(ref context, i + 1);
                i += Keys;
            }
            else if (kind != AlgebraKind.Diff && left >= 2 && context.Is(i, "AGGREGATE"u8))
            {
                isRight = TryGetAggregation(ref context, ++i);
            }
            else
            {
                isRight = WithScores = !isStored && context.Is(i, "WITHSCORES"u8);
                if (!isRight)
                    context.Reply.WriteError(ErrorText.Syntax);
            }

            if (!isRight)
                return false;
        }

        return true;
    }

    /// <summary>The score of a key's member multiplied by the key's weight; 0 instead of NaN.</summary>
    public double Weigh(int key, double score)
    {
        if (_weights is null)
            return score;
        double product = _weights[key] * score;
        return double.IsNaN(product) ? 0 : product;
    }

    /// <summary>
    /// As <see cref="Weigh"/>, for all operands of an intersection except the first. As in Valkey, a NaN stays NaN here, and makes the
    /// result of SUM zero.
    /// </summary>
    public double WeighFurther(int key, double score) => _weights is null ? score : _weights[key] * score;

    /// <summary>Combines two scores of a member.</summary>
    public double Aggregate(double one, double other)
    {
        switch (Aggregation)
        {
            case Aggregation.Min:
                return other < one ? other : one;
            case Aggregation.Max:
                return other > one ? other : one;
            default:
                double sum = one + other;
                return double.IsNaN(sum) ? 0 : sum;
        }
    }

    private bool TryGetWeights(ref CommandContext context, int first)
    {
        _weights = new double[Keys];
        for (int i = 0; i < Keys; i++)
        {
            if (DoubleText.TryParse(context[first + i], out _weights[i]))
                continue;
            context.Reply.WriteError("ERR weight value is not a float"u8);
            return false;
        }

        return true;
    }

    private bool TryGetAggregation(ref CommandContext context, int index)
    {
        if (context.Is(index, "SUM"u8))
        {
            Aggregation = Aggregation.Sum;
        }
        else if (context.Is(index, "MIN"u8))
        {
            Aggregation = Aggregation.Min;
        }
        else if (context.Is(index, "MAX"u8))
        {
            Aggregation = Aggregation.Max;
        }
        else
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        return true;
    }
}
