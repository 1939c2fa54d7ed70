// The table of tracked keys against a model. Each test has its own store.
using System.Globalization;
using System.Text;
using Garnet.Server.Tracking;
using Garnet.Store;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Tracking;

public sealed class TrackingTableTests(ITestOutputHelper output) : IDisposable
{
    private readonly HybridLogStore _store = new(new StoreOptions(), new ManualTimeProvider());
    private readonly KeyHash _hash = new(7);
    private uint[] _clients = new uint[1];

    public void Dispose() => _store.Dispose();

    [Fact]
    public void Random_changes_leave_the_table_like_a_model()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        TrackingTable table = new(_store);
        Dictionary<string, HashSet<uint>> model = [];
        for (int i = 0; i < 200_000; i++)
        {
            string key = NewKey(random);
            int choice = random.Next(1000);
            if (choice < 700)
                Add(table, model, key, (uint)random.Next(1, 40));
            else if (choice < 998)
                Assert.Equal(Taken(model, key), Remove(table, key));
            else if (choice == 998)
                RemoveAny(table, model);
            else if (random.Next(20) == 0)
                (table, model) = Cleared(table);
            Assert.Equal(model.Count, table.Keys);
        }

        Assert.Equal(model.Values.Sum(static clients => clients.Count), table.Items);
        foreach (string key in model.Keys.ToArray())
            Assert.Equal(Taken(model, key), Remove(table, key));
        Assert.Equal(0, table.Keys);
        Assert.Equal(0, table.Items);
    }

    [Fact]
    public void A_key_takes_few_bytes()
    {
        const int keys = 300_000;
        TrackingTable table = new(_store);
        for (int i = 0; i < keys; i++)
        {
            byte[] key = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"key:{i:D12}"));
            Assert.True(table.TryAdd(_hash.Compute(key), key, 1));
        }

        Assert.Equal(keys, table.Keys);
        Assert.InRange(table.Bytes / (double)keys, 28, 70);
        table.Clear();
        Assert.Equal(0, table.Bytes);
        Assert.Equal(0, table.Keys);
    }

    [Fact]
    public void A_key_too_long_for_the_table_is_refused()
    {
        TrackingTable table = new(_store);
        byte[] key = new byte[(1 << 30) + 1];
        Assert.False(table.TryAdd(_hash.Compute(key), key, 1));
        Assert.Equal(0, table.Keys);
    }

    private static string NewKey(Random random)
    {
        int number = random.Next(random.Next(2) == 0 ? 20 : 5000);
        return string.Create(CultureInfo.InvariantCulture, $"{new string('x', number % 23)}{number}");
    }

    private static (TrackingTable Table, Dictionary<string, HashSet<uint>> Model) Cleared(TrackingTable table)
    {
        table.Clear();
        return (table, []);
    }

    private static SortedSet<uint> Taken(Dictionary<string, HashSet<uint>> model, string key) =>
        model.Remove(key, out HashSet<uint>? clients) ? [.. clients] : [];

    private void Add(TrackingTable table, Dictionary<string, HashSet<uint>> model, string key, uint client)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(key);
        Assert.True(table.TryAdd(_hash.Compute(bytes), bytes, client));
        if (!model.TryGetValue(key, out HashSet<uint>? clients))
            model[key] = clients = [];
        clients.Add(client);
    }

    private SortedSet<uint> Remove(TrackingTable table, string key)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(key);
        int count = table.Remove(_hash.Compute(bytes), bytes, ref _clients);
        return [.. _clients.Take(count)];
    }

    private void RemoveAny(TrackingTable table, Dictionary<string, HashSet<uint>> model)
    {
        byte[]? key = table.RemoveAny(ref _clients, out int count);
        if (key is null)
            Assert.Empty(model);
        else
            Assert.Equal(Taken(model, Encoding.ASCII.GetString(key)), new SortedSet<uint>(_clients.Take(count)));
    }
}
