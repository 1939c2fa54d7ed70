// The options of SORT, parsed once. Used by the command's thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>What to sort by, which part of the result to return, and where to store it.</summary>
internal sealed class SortOptions
{
    private const int FirstOption = 2;

    /// <summary>DESC.</summary>
    public bool IsDescending { get; private set; }

    /// <summary>ALPHA: compare as text, not as numbers.</summary>
    public bool IsText { get; set; }

    /// <summary>LIMIT's offset.</summary>
    public long Offset { get; private set; }

    /// <summary>LIMIT's count; negative for all.</summary>
    public long Count { get; private set; } = -1;

    /// <summary>The pattern of BY, or null.</summary>
    public SortPattern? By { get; set; }

    /// <summary>The patterns of GET, in their order.</summary>
    public List<SortPattern> Gets { get; } = [];

    /// <summary>Index of the destination key among the arguments; 0 for none.</summary>
    public int TargetArgument { get; private set; }

    /// <summary>Whether the command reads keys that its arguments do not name.</summary>
    public bool ReadsOtherKeys => By is { ReadsKeys: true } || Gets.Exists(static get => get.ReadsKeys);

    /// <summary>Whether BY has no placeholder, which means no sorting at all, even if another BY follows.</summary>
    public bool IsUnsorted { get; set; }

    /// <summary>Finds the keys that the arguments name; those that BY and GET read depend on the data.</summary>
    public static bool FindKeys(in CommandContext context, int offset, List<KeyPosition> keys, bool isReadOnly)
    {
        int target = 0;
        int count = context.Count - offset;
        for (int i = FirstOption; i < count && !isReadOnly; i++)
        {
            if (i + 2 < count && context.Is(offset + i, "LIMIT"u8))
                i += 2;
            else if (i + 1 < count && (context.Is(offset + i, "BY"u8) || context.Is(offset + i, "GET"u8)))
                i++;
            else if (i + 1 < count && context.Is(offset + i, "STORE"u8))
                target = i + 1;
        }

        keys.Add(new KeyPosition(1, KeySpecFlags.RO | KeySpecFlags.Access));
        if (target != 0)
            keys.Add(new KeyPosition(target, KeySpecFlags.OW | KeySpecFlags.Update));
        return true;
    }

    /// <summary>Parses the arguments; writes the error and returns null if they are invalid.</summary>
    public static SortOptions? Parse(ref CommandContext context, bool isReadOnly)
    {
        SortOptions options = new();
        for (int i = FirstOption; i < context.Count; i++)
        {
            int taken = options.Take(ref context, i, isReadOnly);
            if (taken < 0)
                return null;
            i += taken;
        }

        return options;
    }

    // Returns the number of further arguments that the option consumed; negative after an error.
    private int Take(ref CommandContext context, int index, bool isReadOnly)
    {
        int left = context.Count - index - 1;
        if (context.Is(index, "ASC"u8))
        {
            IsDescending = false;
        }
        else if (context.Is(index, "DESC"u8))
        {
            IsDescending = true;
        }
        else if (context.Is(index, "ALPHA"u8))
        {
            IsText = true;
        }
        else if (left >= 2 && context.Is(index, "LIMIT"u8))
        {
            if (!context.TryGetInteger(index + 1, out long offset) || !context.TryGetInteger(index + 2, out long count))
                return -1;
            (Offset, Count) = (offset, count);
            return 2;
        }
        else if (left >= 1 && !isReadOnly && context.Is(index, "STORE"u8))
        {
            TargetArgument = index + 1;
            return 1;
        }
        else if (left >= 1 && context.Is(index, "BY"u8))
        {
            By = new SortPattern(context[index + 1]);
            IsUnsorted |= !By.HasPlaceholder;
            if (By.HasPlaceholder && !MayReadEveryKey(ref context, "BY"))
                return -1;
            return 1;
        }
        else if (left >= 1 && context.Is(index, "GET"u8))
        {
            Gets.Add(new SortPattern(context[index + 1]));
            if (!MayReadEveryKey(ref context, "GET"))
                return -1;
            return 1;
        }
        else
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return -1;
        }

        return 0;
    }

    // The keys are made of values, so that no pattern could be checked beforehand.
    private static bool MayReadEveryKey(ref CommandContext context, string option)
    {
        if (context.Client.Login.CurrentUser is not { } user || user.MayReadEveryKey(in context))
            return true;
        ArgumentText.WriteError(ref context, $"ERR {option} option of SORT denied due to insufficient ACL permissions.");
        return false;
    }
}
