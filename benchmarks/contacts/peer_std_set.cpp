// The peer: an ordered set that is walked from its beginning for every look-up, as
// bipedal-locomotion-framework's ContactList does. Our own code, to compare on one machine.
//   peer_std_set COUNT: prints "row seconds", CPU time a call.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <random>
#include <set>
#include <string>

struct Contact {
  std::int64_t activation, deactivation;
  double pose[7];
  std::string name;
  int index, type;
};
struct Before {
  bool operator()(const Contact& a, const Contact& b) const { return a.deactivation < b.activation; }
};
using List = std::set<Contact, Before>;

constexpr std::int64_t stride = 1000000;

static List make(std::int64_t count) {
  std::mt19937_64 random(0);
  List list;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t begin = i * stride + random() % (stride / 8);
    list.insert({begin, begin + stride / 2, {0, 0, 0, 0, 0, 0, 1}, "Contact", -1, 0});
  }
  return list;
}

static const Contact* active(const List& list, std::int64_t time) {
  const Contact* found = nullptr;
  for (const Contact& contact : list) {
    if (contact.activation > time) break;
    found = &contact;
  }
  return found && time < found->deactivation ? found : nullptr;
}

static void forceSampleTime(List& list, std::int64_t dt) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto at = std::next(list.begin(), i);
    Contact contact = *at;
    contact.activation -= contact.activation % dt;
    contact.deactivation += (dt - contact.deactivation % dt) % dt;
    list.erase(at);
    list.insert(contact);
  }
}

template <class Work>
static void measure(const char* row, std::int64_t calls, Work work) {
  std::clock_t begin = std::clock();
  work();
  std::printf("%s\t%.9g\n", row, double(std::clock() - begin) / CLOCKS_PER_SEC / calls);
}

int main(int, char** words) {
  const std::int64_t count = std::atoll(words[1]);
  const std::int64_t calls = std::max<std::int64_t>(20, 20000000 / (count + 100) / 10);
  List list = make(count);
  std::mt19937_64 random(1);
  volatile std::int64_t kept = 0;
  measure("look-up by time", calls, [&] {
    for (std::int64_t k = 0; k < calls; ++k) {
      const Contact* found = active(list, random() % (count * stride));
      kept = kept + (found ? found->activation : 0);
    }
  });
  measure("look-up by index", calls, [&] {
    for (std::int64_t k = 0; k < calls; ++k) kept = kept + std::next(list.begin(), random() % count)->activation;
  });
  measure("force_sample_time", 1, [&] { forceSampleTime(list, 1000); });
  measure("copy", 1, [&] { kept = kept + List(list).size(); });
}
