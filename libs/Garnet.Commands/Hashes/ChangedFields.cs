// Records which fields a command changed, for its effect. Lives on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Records the argument indexes of changed fields if the command's effect will be propagated.</summary>
internal struct ChangedFields
{
    private readonly int[]? _indexes;

    /// <summary>Allocates space for a maximum number of fields.</summary>
    public ChangedFields(ref CommandContext context, int maxFields) => _indexes = context.HasSink ? new int[maxFields] : null;

    /// <summary>Number of fields recorded.</summary>
    public int Count { get; private set; }

    /// <summary>Records the field in an argument.</summary>
    public void Add(int index)
    {
        if (_indexes is not null)
            _indexes[Count] = index;
        Count++;
    }

    /// <summary>HDEL key field [field ...]</summary>
    public readonly void DescribeRemoval(ref CommandContext context)
    {
        if (_indexes is not null)
            AddFields(ref context, context.BeginEffect(2 + Count).Add("HDEL"u8).Add(context[1]));
    }

    /// <summary>HPERSIST key FIELDS numfields field [field ...], or HPEXPIREAT key time FIELDS ... for an expiry that is not -1</summary>
    public readonly void DescribeExpiry(ref CommandContext context, long expiresAtMs)
    {
        if (_indexes is null)
            return;
        context.Client.Propagation.NeedsNewReplicas = true;
        EffectBuffer effect =
            expiresAtMs < 0
                ? context.BeginEffect(4 + Count).Add("HPERSIST"u8).Add(context[1])
                : context.BeginEffect(5 + Count).Add("HPEXPIREAT"u8).Add(context[1]).Add(expiresAtMs);
        AddFields(ref context, effect.Add("FIELDS"u8).Add(Count));
    }

    private readonly void AddFields(ref CommandContext context, EffectBuffer effect)
    {
        for (int i = 0; i < Count; i++)
            effect.Add(context[_indexes![i]]);
    }
}
