// The set behind topics and subscribers, compared with a model.
using Garnet.Server.Messaging;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Messaging;

public sealed class ReferenceSetTests(ITestOutputHelper output)
{
    [Fact]
    public void Random_changes_give_the_same_contents_as_in_a_model()
    {
        Random random = new(TestSeed.Choose(output, 811));
        object[] pool = [.. Enumerable.Range(0, 200).Select(static _ => new object())];
        for (int round = 0; round < 50; round++)
        {
            ReferenceSet<object> set = default;
            HashSet<object> model = [];
            int range = random.Next(1, pool.Length);
            for (int step = 0; step < 1000; step++)
            {
                object item = pool[random.Next(range)];
                if (random.Next(2) == 0)
                    Assert.Equal(model.Add(item), set.Add(item));
                else
                    Assert.Equal(model.Remove(item), set.Remove(item));
                Assert.Equal(model.Count, set.Count);
                Assert.Equal(model.Contains(pool[0]), set.Contains(pool[0]));
            }

            Assert.True(model.SetEquals(set.Slots.ToArray().Where(static slot => slot is not null)!));
            foreach (object item in model)
                Assert.True(set.Remove(item));
            Assert.Equal(0, set.Count);
            Assert.Equal(0, set.MemoryBytes);
        }
    }

    [Fact]
    public void One_object_takes_no_table_and_many_take_at_most_twice_their_size()
    {
        ReferenceSet<object> set = default;
        set.Add(new object());
        Assert.Equal(0, set.MemoryBytes);
        for (int i = 1; i < 10_000; i++)
        {
            set.Add(new object());
            Assert.InRange(set.MemoryBytes, 0, (Math.Max(4, set.Count * 2.3) + 2) * IntPtr.Size);
        }
    }

    [Fact]
    public void A_search_ends_whatever_the_number_of_objects()
    {
        ReferenceSet<object> set = default;
        for (int count = 1; count <= 100; count++)
        {
            Assert.True(set.Add(new object()));
            Assert.False(set.Contains(new object()));
        }
    }
}
