// The arguments LEFT and RIGHT. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Parses an argument that names an end of a list.</summary>
internal static class ListEndArgument
{
    /// <summary>Parses the argument; writes the error and returns false if it is invalid.</summary>
    public static bool TryGet(ref CommandContext context, int index, out ListEnd end)
    {
        end = context.Is(index, "RIGHT"u8) ? ListEnd.Right : ListEnd.Left;
        if (end == ListEnd.Right || context.Is(index, "LEFT"u8))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }
}
