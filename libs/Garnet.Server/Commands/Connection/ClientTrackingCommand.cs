// CLIENT TRACKING ON|OFF [REDIRECT client-id] [PREFIX prefix ...] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Tracking;

namespace Garnet.Server.Commands.Connection;

/// <summary>Turns notifications of changed keys on, so that the client can cache their values.</summary>
internal sealed class ClientTrackingCommand(KeyTracking tracking, ClientRegistry clients)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TRACKING",
        Arity = -3,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.0.0",
        MakeHandler = static parts => new ClientTrackingCommand(parts.Get<KeyTracking>(), parts.Get<ClientRegistry>()).Execute,
    };

    // Of more prefixes than this, the overlap that is reported is not the first one that Valkey would find.
    private const int MaxComparedInPairs = 1000;

    private const TrackingModes Choices = TrackingModes.OptIn | TrackingModes.OptOut;

    private void Execute(ref CommandContext context)
    {
        List<byte[]> prefixes = [];
        if (!TryParse(ref context, prefixes, out TrackingModes modes, out long redirect))
            return;
        if (context.Is(2, "OFF"u8))
        {
            tracking.TurnOff(context.Client);
            context.Reply.WriteOk();
        }
        else if (!context.Is(2, "ON"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
        }
        else if (FitsTogether(ref context, modes, prefixes))
        {
            if ((modes & TrackingModes.Broadcast) != 0 && prefixes.Count == 0)
                prefixes.Add([]);
            tracking.TurnOn(context.Client, modes, redirect, [.. prefixes]);
            // The batch began without it when tracking was off.
            Invalidations.OfThread.Of(context.Scratch).Open(context.Client);
            context.Reply.WriteOk();
        }
    }

    private bool TryParse(ref CommandContext context, List<byte[]> prefixes, out TrackingModes modes, out long redirect)
    {
        modes = TrackingModes.None;
        redirect = 0;
        for (int i = 3; i < context.Count; i++)
        {
            bool hasMore = i + 1 < context.Count;
            if (hasMore && context.Is(i, "REDIRECT"u8))
            {
                if (!TryParseRedirect(ref context, ++i, ref redirect))
                    return false;
            }
            else if (hasMore && context.Is(i, "PREFIX"u8))
            {
                prefixes.Add(context[++i].ToArray());
            }
            else if (ModeAt(ref context, i) is var mode && mode != TrackingModes.None)
            {
                modes |= mode;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        return true;
    }

    private static TrackingModes ModeAt(ref CommandContext context, int index)
    {
        if (context.Is(index, "BCAST"u8))
            return TrackingModes.Broadcast;
        if (context.Is(index, "OPTIN"u8))
            return TrackingModes.OptIn;
        if (context.Is(index, "OPTOUT"u8))
            return TrackingModes.OptOut;
        return context.Is(index, "NOLOOP"u8) ? TrackingModes.NoLoop : TrackingModes.None;
    }

    // The client must exist now; when it disconnects later, the client that redirects is notified.
    private bool TryParseRedirect(ref CommandContext context, int index, ref long redirect)
    {
        if (redirect != 0)
        {
            context.Reply.WriteError("ERR A client can only redirect to a single other client"u8);
            return false;
        }

        if (!context.TryGetInteger(index, out redirect))
            return false;
        if (clients.Find(redirect) is not null)
            return true;
        context.Reply.WriteError("ERR The client ID you want redirect to does not exist"u8);
        return false;
    }

    private bool FitsTogether(ref CommandContext context, TrackingModes modes, List<byte[]> prefixes)
    {
        ClientTracking? present = context.Client.Tracking;
        ReadOnlySpan<byte> error = ErrorOf(modes, present, prefixes.Count > 0);
        if (error.IsEmpty)
            return (modes & TrackingModes.Broadcast) == 0 || ArePrefixesApart(ref context, present, prefixes);
        context.Reply.WriteError(error);
        return false;
    }

    // What contradicts itself, or what is on already; empty when nothing does.
    private ReadOnlySpan<byte> ErrorOf(TrackingModes modes, ClientTracking? present, bool hasPrefixes)
    {
        TrackingModes before = present?.Modes ?? TrackingModes.None;
        bool isBroadcast = (modes & TrackingModes.Broadcast) != 0;
        if (!isBroadcast && hasPrefixes)
            return "ERR PREFIX option requires BCAST mode to be enabled"u8;
        if (present is { IsOn: true } && ((before ^ modes) & TrackingModes.Broadcast) != 0)
            return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode."u8;
        if (isBroadcast && (modes & Choices) != 0)
            return "ERR OPTIN and OPTOUT are not compatible with BCAST"u8;
        if ((modes & Choices) == Choices)
            return "ERR You can't specify both OPTIN mode and OPTOUT mode"u8;
        return ((before | modes) & Choices) == Choices
            ? "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode."u8
            : default;
    }

    // No two prefixes of a client may match the same key. In order of bytes a prefix of any other one is a prefix of its successor, too, so
    // that comparing all pairs is needed only to name the first offender.
    private static bool ArePrefixesApart(ref CommandContext context, ClientTracking? present, List<byte[]> prefixes)
    {
        byte[][] sorted = [.. prefixes.Order(PrefixTable.Order)];
        int first = Enumerable.Range(1, Math.Max(0, sorted.Length - 1)).FirstOrDefault(i => Overlap(sorted[i - 1], sorted[i]));
        byte[]? existing = null;
        byte[]? offender = present is null ? null : prefixes.Find(prefix => (existing = present.FindOverlap(prefix)) is not null);
        if (first == 0 && offender is null)
            return true;
        if (prefixes.Count > MaxComparedInPairs)
        {
            return offender is not null
                ? Refuse(ref context, offender, "an existing", existing!)
                : Refuse(ref context, sorted[first - 1], "another provided", sorted[first]);
        }

        for (int i = 0; i < prefixes.Count; i++)
        {
            if (present?.FindOverlap(prefixes[i]) is { } other)
                return Refuse(ref context, prefixes[i], "an existing", other);

            for (int j = i + 1; j < prefixes.Count; j++)
            {
                if (Overlap(prefixes[i], prefixes[j]))
                    return Refuse(ref context, prefixes[i], "another provided", prefixes[j]);
            }
        }

        return true;
    }

    private static bool Overlap(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) => one.StartsWith(other) || other.StartsWith(one);

    private static bool Refuse(ref CommandContext context, byte[] prefix, string which, byte[] other)
    {
        string text =
            $"ERR Prefix '{ArgumentText.Printable(prefix)}' overlaps with {which} prefix '{ArgumentText.Printable(other)}'. Prefixes for a single client must not overlap.";
        ArgumentText.WriteError(ref context, ArgumentText.OneLine(text));
        return false;
    }
}
