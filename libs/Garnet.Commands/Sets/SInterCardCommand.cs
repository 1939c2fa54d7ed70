// SINTERCARD numkeys key [key ...] [LIMIT limit]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Commands.Sets;

/// <summary>Replies with the number of members of the intersection, counted up to a limit.</summary>
internal static class SInterCardCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SINTERCARD",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Set,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(1, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private const int FirstKey = 2;

    private static void Execute(ref CommandContext context)
    {
        if (!IntegerText.TryParse(context[1], out long keys) || keys < 1)
        {
            context.Reply.WriteError("ERR numkeys should be greater than 0"u8);
        }
        else if (keys > context.Count - FirstKey)
        {
            context.Reply.WriteError("ERR Number of keys can't be greater than number of args"u8);
        }
        else if (
            TryGetLimit(ref context, FirstKey + (int)keys, out long limit)
            && SetSources.TryOpen(ref context, FirstKey, (int)keys, hasTarget: false, out SetSources sources)
        )
        {
            context.Reply.WriteInteger(SetIntersection.Count(ref context, in sources, limit));
        }
    }

    private static bool TryGetLimit(ref CommandContext context, int first, out long limit)
    {
        limit = 0;
        for (int i = first; i < context.Count; i += 2)
        {
            if (!context.Is(i, "LIMIT"u8) || i + 1 == context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }

            if (!IntegerText.TryParse(context[i + 1], out limit) || limit < 0)
            {
                context.Reply.WriteError("ERR LIMIT can't be negative"u8);
                return false;
            }
        }

        return true;
    }
}
