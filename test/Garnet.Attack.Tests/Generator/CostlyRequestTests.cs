// Every command with large keys, large values, many arguments and numbers at the edge: what does it cost others? A slice always, hours when
// asked.
using System.Diagnostics;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Generator;

public sealed class CostlyRequestTests(ITestOutputHelper output)
{
    private const int Repetitions = 3;

    // Times decide only in the full run beside Valkey: a slice on a busy machine is there for what must hold anywhere, a server that goes
    // on and knows no exception.
    [Theory]
    [MemberData(nameof(CommandAttack.Transports), MemberType = typeof(CommandAttack))]
    public async Task No_request_costs_others_more_than_a_tenth_of_a_second_or_64_megabytes(string transport)
    {
        int seed = TestSeed.Choose(output, 1);
        var generator = new RequestGenerator(seed);
        await using MeasuredServer garnet = await MeasuredServer.StartAsync(AttackedServer.StartGarnet("--transport", transport));
        await using MeasuredServer? valkey =
            FaultScale.IsFull && AttackedServer.TryStartValkey() is { } peer ? await MeasuredServer.StartAsync(peer) : null;
        IReadOnlyList<CommandGrammar> commands = await CommandGrammar.ReadAsync(garnet.Client);
        var random = new Random(seed + 1);
        List<string> offenders = [];
        long start = Stopwatch.GetTimestamp();
        int tried = 0;
        while (Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime / CommandAttack.Transports.Count)
        {
            (string[] request, string[] copies) = generator.Next(commands[random.Next(commands.Count)]);
            tried++;
            if (await TryAsync(garnet, valkey, request, copies) is { } offender)
                offenders.Add(offender);
        }

        output.WriteLine($"{tried} requests of {commands.Count} commands");
        Assert.True(tried > 0);
        Assert.Equal("PONG", (await garnet.Client.CallAsync("PING")).Text);
        Assert.True(offenders.Count == 0, string.Join(Environment.NewLine, offenders));
    }

    // A line for what costs too much, and more than it costs Valkey; null for everything else.
    private async Task<string?> TryAsync(MeasuredServer garnet, MeasuredServer? valkey, string[] request, string[] copies)
    {
        (AttackCost cost, string reply) = await MeasureAsync(garnet, request, copies);
        if (reply.StartsWith("connection closed", StringComparison.Ordinal))
        {
            // Also written here, as the onlooker's connection may have failed too, and its exception is the one reported.
            output.WriteLine($"{Shorten(request)}: {reply}");
            Assert.Fail($"{Shorten(request)}: {reply}");
        }

        if (cost.IsTooMuch)
            cost = await MinAsync(garnet, request, copies, cost);
        if (!cost.IsTooMuch)
            return null;
        AttackCost? other = valkey is null
            ? null
            : await MinAsync(valkey, request, copies, (await MeasureAsync(valkey, request, copies)).Cost);
        string line = $"{cost} (Valkey {other?.ToString() ?? "not measured"}): {Shorten(request)}";
        output.WriteLine($"{line} -> {reply}");
        return other is not null && (cost.TakesMoreThan(other) || cost.DelaysMoreThan(other)) ? line : null;
    }

    private async Task<MeasuredRequest> MeasureAsync(MeasuredServer server, string[] request, string[] copies)
    {
        try
        {
            return await server.MeasureAsync(request, copies);
        }
        catch
        {
            // The connections fail with it, and theirs are the exceptions that are reported.
            output.WriteLine($"{server.Name}: {Shorten(request)}");
            throw;
        }
    }

    private async Task<AttackCost> MinAsync(MeasuredServer server, string[] request, string[] copies, AttackCost cost)
    {
        for (int i = 1; i < Repetitions && cost.IsTooMuch; i++)
        {
            await server.DeleteCopiesAsync();
            cost = cost.Least((await MeasureAsync(server, request, copies)).Cost);
        }

        await server.DeleteCopiesAsync();
        return cost;
    }

    private static string Shorten(string[] request)
    {
        string text = string.Join(
            ' ',
            request
                .Take(30)
                .Select(static word =>
                    word.Length > 40 ? $"{word[..20]}...({word.Length})"
                    : word.Length == 0 ? "\"\""
                    : word
                )
        );
        return request.Length > 30 ? $"{text} ... ({request.Length} words)" : text;
    }
}
