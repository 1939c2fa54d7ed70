// SPOP key [count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Memory;

namespace Garnet.Commands.Sets;

/// <summary>
/// Removes random members of a set and replies with them. The effect is SREM of the members, or DEL of the key if all are removed.
/// </summary>
internal static class SPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SPOP",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const int MembersPerEffect = 1024;
    private const int RebuiltShare = 5;

    // The shortest members are digits of an intset, which an effect writes out with a header.
    private const int MaxEffectBytesPerByte = 4;

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
            PopOne(ref context);
        else if (context.Count > 3)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (TryGetCount(ref context, out long count))
            PopSeveral(ref context, count);
    }

    private static bool TryGetCount(ref CommandContext context, out long count)
    {
        if (IntegerText.TryParse(context[2], out count) && count >= 0)
            return true;
        context.Reply.WriteError("ERR value is out of range, must be positive"u8);
        return false;
    }

    private static void PopOne(ref CommandContext context)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        if (!set.Exists)
        {
            context.Reply.WriteNull();
        }
        else if (!MayExceedEffects(ref context, in set))
        {
            set.TryPop(out ReadOnlySpan<byte> member);
            context.Notify(SetEvents.Pop, 1);
            context.ReplaceEffect("SREM"u8, context[1], member);
            context.Reply.WriteBulk(member);
        }
        else
        {
            PopOneOfMany(ref context, ref set);
        }
    }

    private static void PopOneOfMany(ref CommandContext context, scoped ref SetValue set)
    {
        using var chosen = new ChosenMembers();
        if (!TryChoose(ref context, in set, 1, chosen))
            return;
        set.Remove(chosen[0]);
        context.Notify(SetEvents.Pop, 1);
        context.ReplaceEffect("SREM"u8, context[1], chosen[0]);
        context.Reply.WriteBulk(chosen[0]);
    }

    private static void PopSeveral(ref CommandContext context, long count)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        int popped = checked((int)Math.Min(count, set.Length));
        bool isAll = popped == set.Length;
        using ChosenMembers? chosen = !isAll && MayExceedEffects(ref context, in set) ? new ChosenMembers() : null;
        if (chosen is not null && !TryChoose(ref context, in set, popped, chosen))
            return;
        context.Reply.WriteSet(popped);
        if (popped == 0)
            return;
        context.Notify(SetEvents.Pop, 1);
        context.CountChanges(popped);
        if (isAll)
        {
            // Valkey implements this as a union of one set, which counts as a lookup.
            context.CountLookup(true, 1);
            foreach (ReadOnlySpan<byte> member in set)
                context.Reply.WriteBulk(member);
            set.Record.Delete();
            context.ReplaceEffect("DEL"u8, context[1]);
            return;
        }

        for (int i = 0; i < popped; i++)
        {
            ReadOnlySpan<byte> member = Pop(ref set, chosen, i);
            if (context.HasSink)
            {
                if (i % MembersPerEffect == 0)
                    context.BeginEffect(2 + Math.Min(popped - i, MembersPerEffect)).Add("SREM"u8).Add(context[1]);
                context.Client.Propagation.Effects.Add(member);
            }

            context.Reply.WriteBulk(member);
        }

        if (set.Length * RebuiltShare <= popped)
            Rebuild(ref context, ref set);
    }

    private static ReadOnlySpan<byte> Pop(scoped ref SetValue set, ChosenMembers? chosen, int index)
    {
        if (chosen is null)
        {
            set.TryPop(out ReadOnlySpan<byte> member);
            return member;
        }

        set.Remove(chosen[index]);
        return chosen[index];
    }

    private static bool MayExceedEffects(ref CommandContext context, scoped in SetValue set) =>
        context.HasSink && set.Exists && context.FreeEffectBytes / MaxEffectBytesPerByte < set.Record.Contents.MemoryBytes;

    // Of a set as large as the effects of one command may be, the members are chosen before any is removed: those that were sent to the
    // client can't be put back when it turns out that they can't be logged together.
    private static bool TryChoose(ref CommandContext context, scoped in SetValue set, int count, ChosenMembers chosen)
    {
        long bytes = ((count / MembersPerEffect) + 1) * (context[1].Length + (3L * EffectBuffer.ArgumentOverheadBytes));
        foreach (ReadOnlySpan<byte> member in set.Sample(count, isDistinct: true))
        {
            bytes += member.Length + EffectBuffer.ArgumentOverheadBytes;
            if (bytes > context.FreeEffectBytes)
                break;
            chosen.Add(member);
        }

        return context.TryReserveEffects(bytes);
    }

    // If only few members remain, Valkey moves them to a new set, so a hashtable that has become small becomes a listpack again.
    private static void Rebuild(ref CommandContext context, scoped ref SetValue set)
    {
        var rest = SetValue.Detached(context.Store);
        if (!set.Encoding.SequenceEqual("intset"u8))
            rest.BecomeListPack(isAnyLength: false);
        foreach (ReadOnlySpan<byte> member in set)
            rest.AddNew(ElementScratch.Current.Copy(member));
        rest.StoreTo(ref set.Record, set.Record.ExpiresAtMs);
    }

    // Copies in scratch memory, which is counted and bounded: they can be as many as fit the effects of one command.
    private sealed class ChosenMembers : IDisposable
    {
        private readonly TextArena _texts = new();
        private readonly ScratchList<TextSlice> _slices = new();

        public ReadOnlySpan<byte> this[int index] => _texts[_slices[index]];

        public void Add(ReadOnlySpan<byte> member) => _slices.Add(_texts.Add(member));

        public void Dispose()
        {
            _slices.Dispose();
            _texts.Dispose();
        }
    }
}
